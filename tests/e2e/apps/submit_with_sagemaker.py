"""Submit, re-prioritise and end a job with the SageMaker SDK; prints what it saw, as JSON.

It runs in the SDK's own virtual environment: ``python submit_with_sagemaker.py QUEUE SHARE``.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from sagemaker.core.helper import IamRoleResolver
from sagemaker.core.training.configs import Compute, OutputDataConfig
from sagemaker.train.aws_batch.training_queue import TrainingQueue
from sagemaker.train.model_trainer import ModelTrainer

ACCOUNT = "111122223333"
IMAGE = f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/training:latest"


def main(queue_name: str, share: str) -> None:
    trainer = ModelTrainer(
        training_image=IMAGE,
        # The SDK asks IAM whether the role may do all that a training job needs.
        role=IamRoleResolver().create_execution_role(role_type="training"),
        base_job_name="by-sdk",
        compute=Compute(instance_type="ml.g5.xlarge", instance_count=2),
        # Named, because the SDK asks AWS itself, at a fixed address, for a bucket of its own.
        output_data_config=OutputDataConfig(s3_output_path="s3://training-results"),
    )
    queue = TrainingQueue(queue_name)
    job = queue.submit(
        trainer,
        inputs=None,
        job_name="by-sdk",
        priority=5,
        quota_share_name=share,
        preemption_config={"preemptionRetriesBeforeTermination": 2},
    )
    saw: dict[str, Any] = {"arn": job.job_arn}
    while job.describe()["status"] != "RUNNING":
        time.sleep(0.1)
    saw["running"] = job.describe()
    saw["listed"] = [one.job_name for one in queue.list_jobs_by_share(quota_share_name=share)]
    job.update(scheduling_priority=7)
    saw["updated"] = job.describe()
    job.terminate("seen enough")
    saw["ended"] = job.describe()
    print(json.dumps(saw, default=str))


if __name__ == "__main__":
    main(*sys.argv[1:])
