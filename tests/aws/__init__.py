"""An AWS endpoint on loopback: ministack, with AWS Batch quota management added to it.

It reads what AWS Batch does from AWS's own pages, and shares no code with ``qm_constructs``: it is
the second opinion.
"""
