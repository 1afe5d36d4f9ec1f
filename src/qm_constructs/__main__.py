"""Lets ``python -m qm_constructs`` be ``qm-constructs``."""

import sys

from qm_constructs.cli.main import main

sys.exit(main())
