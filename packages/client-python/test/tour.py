"""
From upload to embeddings by this client alone, for test/system/programs.integration.test.ts, which compares what it
prints with what other clients get.

Usage: python3 tour.py FILE…, with HOPWISE_URL and HOPWISE_API_KEY
"""

import json
import sys
import tempfile

from hopwise import Client, ProblemError, progress_printer


def error_of(work) -> list:
    try:
        work()
    except ProblemError as error:
        return [type(error).__name__, error.code, error.pointer]
    return []


client = Client()
try:
    client.upload(["nowhere.csv"], "made for nothing")
except FileNotFoundError:
    assert all(one["name"] != "made for nothing" for one in client.api.list_datasets()["items"])
dataset = client.upload(sys.argv[1:], "by-python")
job = client.train("by-python", "label", model={"type": "gcn"}, train={"epochs": 2}, outputs={"map": {"maxDetailed": 0}})
done = client.wait(job, progress_printer())
embeddings = client.embeddings(job)
client.api.keep_model({"name": "kept", "job": job["id"]})
with tempfile.TemporaryDirectory() as folder:
    client.download_model("kept", folder)
    brought = client.upload_model(folder, "brought", note="from elsewhere")

errors = {
    "unknown": error_of(lambda: client.api.read_job("job_nobody")),
    "model": error_of(lambda: client.model("nobody")),
    "spec": error_of(lambda: client.train("by-python", "label", train={"epochs": 0})),
    "key": error_of(lambda: Client(client.url, "hw_wrong").api.list_jobs()),
}
print(
    json.dumps(
        {
            "ref": dataset["ref"],
            "job": job["id"],
            "accuracy": done["metrics"]["test/accuracy"],
            "ids": embeddings.ids,
            "vectors": [list(vector) for vector in embeddings.values()],
            "brought": [brought["ref"], brought["isUploaded"], brought["note"]],
            "errors": errors,
        }
    )
)
