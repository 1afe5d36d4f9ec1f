"""What a job queue is doing now."""

from __future__ import annotations

from .errors import does_not_exist
from .jobs import now
from .names import name_from
from .running import usage, waiting
from .state import Job, Json, here


def _front(jobs: list[Job], count: int) -> list[Json]:
    return [{"jobArn": job.arn, "earliestTimeAtPosition": job.created} for job in jobs[:count]]


def get_job_queue_snapshot(given: Json) -> Json:
    place = here()
    queue = place.queues.get(name_from("job-queue", given["jobQueue"]))
    if queue is None:
        raise does_not_exist(given["jobQueue"])
    jobs = place.jobs_of(queue.arn)
    utilization: Json = {"totalCapacityUsage": usage(jobs), "lastUpdatedAt": now()}
    answer: Json = {
        "frontOfQueue": {"jobs": _front(waiting(jobs), 100), "lastUpdatedAt": now()},
        "queueUtilization": utilization,
    }
    if place.has_quota_shares(queue):
        by_share = {
            one.name: place.jobs_of(queue.arn, one.name) for one in place.shares_of(queue.arn)
        }
        answer["frontOfQuotaShares"] = {
            "quotaShares": {name: _front(waiting(own), 1) for name, own in by_share.items()},
            "lastUpdatedAt": now(),
        }
        held = {name: usage(own) for name, own in by_share.items()}
        utilization["quotaShareUtilization"] = {
            "topCapacityUtilization": [
                {"quotaShareName": name, "capacityUsage": used}
                for name, used in held.items()
                if used
            ]
        }
    return answer
