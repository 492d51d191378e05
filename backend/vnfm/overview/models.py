from django.db import models


class FirstStepsProgress(models.Model):
    """What a user has done of the first steps that leaves no trace elsewhere."""

    user = models.OneToOneField("accounts.User", primary_key=True, on_delete=models.CASCADE, related_name="first_steps")
    element_viewed_at = models.DateTimeField(null=True)
    dismissed_at = models.DateTimeField(null=True)
