"""
The whole tour by this client alone, to tomorrow's nodes, for test/system/programs.long.test.ts, which compares what it
prints.

Usage: python3 long_tour.py FOLDER, with HOPWISE_URL and HOPWISE_API_KEY; FOLDER has 1/ and 2/, the files of two versions.
"""

import json
import sys
from pathlib import Path

from hopwise import Client, JobFailedError, all_pages, progress_printer

folder = Path(sys.argv[1])
client = Client()
SMALL = {
    "model": {"type": "sage", "options": {"hiddenFeats": 8}},
    "train": {"epochs": 3, "batchSize": 64},
    "outputs": {"map": {"maxDetailed": 0}, "model": "from-python"},
}


def files(version: str) -> list[Path]:
    return sorted((folder / version).glob("*.csv"))


sent: list[int] = []
first = client.upload(files("1"), "by-python", on_bytes=lambda bytes_, total: sent.append(bytes_))
tasks = client.tasks("by-python")
job = client.train("by-python", "label", **SMALL)
done = client.wait(job, progress_printer())
client.download(job, folder / "predictions.csv", "predictions")

second = client.upload(files("2"), dataset="by-python")
inferred = client.wait(client.infer("from-python@1", second), poll_seconds=0.3)
embeddings = client.embeddings(inferred)
client.download(inferred, folder / "embeddings.parquet", id="pk", vector="values")
model_files = client.download_model("from-python", folder / "model")

sweep = client.sweep("by-python", "label", seeds=[0, 1], model={"type": "gcn"}, train={"epochs": 1})
swept = client.wait_sweep(sweep, poll_seconds=0.5)

endless = client.train("by-python", "label", train={"epochs": 100_000, "optimizer": {"options": {"lr": 1e-9}}})
client.api.cancel_job(endless["id"])

try:
    client.wait(endless)
    cancelled = ""
except JobFailedError as error:
    cancelled = f"{error.job['state']} {error.code}"

print(
    json.dumps(
        {
            "refs": [first["ref"], second["ref"]],
            "nodes": [version["graph"]["info"]["numNodes"] for version in (first, second)],
            "sentBytes": max(sent),
            "tasks": tasks,
            "accuracy": done["metrics"]["test/accuracy"],
            "inferredStages": [stage["kind"] for stage in inferred["stages"]],
            "ids": embeddings.ids,
            "width": embeddings.width,
            "vectors": {id_: list(vector) for id_, vector in embeddings.items()},
            "predicted": len(client.predictions(inferred)),
            "modelFiles": sorted(file.path.name for file in model_files),
            "trials": [len(setting["trials"]) for setting in swept["settings"]],
            "best": swept["best"] is not None,
            "jobs": len(list(all_pages(client.api.list_jobs, kind="train"))),
            "inferJob": inferred["id"],
            "cancelled": cancelled,
        }
    )
)
