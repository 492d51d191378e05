from django.db import models


class FirstStepsProgress(models.Model):
    """The first steps that a user has done without a trace elsewhere."""

    user = models.OneToOneField("accounts.User", primary_key=True, on_delete=models.CASCADE, related_name="first_steps")
    element_viewed_at = models.DateTimeField(null=True)
    dismissed_at = models.DateTimeField(null=True)
