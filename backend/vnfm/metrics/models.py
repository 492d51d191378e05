from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class MetricTotal(models.Model):
    """A counter or histogram with its label values, summed up over all processes that ever ran."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=80)
    labels = ArrayField(models.CharField(max_length=200))
    """Values, in the order of the metric's label names."""
    value = models.FloatField()
    """The sum of all that a histogram observed."""
    buckets = ArrayField(models.BigIntegerField())
    """Observations by bucket, not cumulative, the last one without an upper bound; empty for a counter."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["name", "labels"], name="metric_total_once"),)


class MetricGauge(models.Model):
    """A present value of one process; it counts while it is fresh."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=80)
    labels = ArrayField(models.CharField(max_length=200))
    source = models.CharField(max_length=300)
    """Host and process id."""
    value = models.FloatField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=["name", "labels", "source"], name="metric_gauge_once"),)
