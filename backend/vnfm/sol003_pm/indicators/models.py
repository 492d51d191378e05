from django.db import models


class IndicatorState(models.Model):
    """The value of an indicator of which subscribers know. Rows exist only while there are subscribers."""

    id = models.BigAutoField(primary_key=True)
    instance = models.ForeignKey("inventory.VnfInstance", on_delete=models.CASCADE, related_name="indicator_states")
    indicator_id = models.CharField(max_length=200)
    value = models.JSONField()
    """The object that is on the wire."""
    version = models.BigIntegerField(default=1)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["instance", "indicator_id"], name="indicator_once"),)
