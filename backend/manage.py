#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # Django's: 14 MiB more in worker and beat (kit.commands)
    execute_from_command_line(sys.argv)
