"""The client against a service that breaks off, falls silent and refuses, made of Python's own server of HTTP."""

from __future__ import annotations

import hashlib
import json
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable
from unittest import mock

from hopwise import (
    ConflictError,
    DownloadDamagedError,
    InvalidError,
    NotAllowedError,
    NotFoundError,
    ProblemError,
    UnreachableError,
)
from hopwise.files import FileToSend, download
from hopwise.operations import Operations
from hopwise.resumable import ResumableUpload
from hopwise.transport import Transport

Answer = Callable[[BaseHTTPRequestHandler], None]


class Service(ThreadingHTTPServer):
    """Answers each request with the next of what it was given, and keeps what was asked."""

    def __init__(self, answers: list[Answer]) -> None:
        service, self.asked = self, []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                service.asked.append((self.command, self.path, dict(self.headers), body))
                answers[min(len(service.asked), len(answers)) - 1](self)
                self.close_connection = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def transport(self) -> Transport:
        return Transport(f"http://127.0.0.1:{self.server_port}", "hw_key", silence_seconds=5)


def sends(status: int, body: bytes, announced: int | None = None, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("content-length", str(len(body) if announced is None else announced))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


def problem(status: int, code: str, **more: Any) -> Answer:
    return sends(status, json.dumps({"code": code, "title": "No", "detail": "No.", "status": status, **more}).encode())


class WithService(unittest.TestCase):
    def service(self, *answers: Answer) -> Service:
        service = Service(list(answers))
        self.addCleanup(service.server_close)
        self.addCleanup(service.shutdown)
        return service

    def setUp(self) -> None:
        patched = mock.patch("time.sleep")
        self.sleep = patched.start()
        self.addCleanup(patched.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


def as_json(**fields: Any) -> Answer:
    return sends(200, json.dumps(fields).encode())


class ResumableUploads(WithService):
    def send(self, *answers: Answer) -> tuple[Service, list[tuple[int, int | None]]]:
        path = self.folder / "edges.csv"
        path.write_bytes(b"src,dst\na,b\n")
        service, told = self.service(*answers), []
        transport = service.transport
        upload = ResumableUpload(transport, Operations(transport), "ds_1", path, "ab", lambda *now: told.append(now))
        upload.send()
        return service, told

    def test_a_file_goes_on_where_it_was_when_the_connection_is_lost(self) -> None:
        begun = {"id": "up_1", "state": "RECEIVING", "bytesTotal": 12}
        service, told = self.send(
            as_json(items=[]),
            as_json(**begun, bytesDone=0),
            as_json(**begun, bytesDone=0),
            hangs_up,
            as_json(**begun, bytesDone=5),
            sends(204, b""),
            as_json(id="up_1", state="DONE", bytesDone=12),
        )
        calls = [(method, path, headers.get("upload-offset"), body) for method, path, headers, body in service.asked]
        self.assertEqual(calls[1][:2], ("POST", "/v1/datasets/ds_1/uploads"))
        self.assertEqual(calls[3], ("PATCH", "/v1/uploads/up_1", "0", b"src,dst\na,b\n"))
        self.assertEqual(calls[5], ("PATCH", "/v1/uploads/up_1", "5", b"st\na,b\n"))
        self.assertEqual(told[-1], (12, 12))

    def test_what_an_earlier_program_had_begun_is_found_again(self) -> None:
        known = {"name": "edges.csv", "bytesTotal": 12, "expectedSha256": "ab", "replaces": True, "state": "RECEIVING"}
        other = {**known, "id": "up_other", "expectedSha256": "cd", "bytesDone": 0}
        service, _ = self.send(
            as_json(items=[other, {**known, "id": "up_1", "bytesDone": 7}]),
            as_json(**known, id="up_1", bytesDone=7),
            sends(204, b""),
            as_json(id="up_1", state="DONE", bytesDone=12),
        )
        self.assertEqual([path for _, path, _, _ in service.asked][1:], ["/v1/uploads/up_1"] * 3)
        self.assertEqual(service.asked[2][3], b"\na,b\n")

    def test_a_file_that_is_refused_in_the_end_is_not_sent_again(self) -> None:
        refused = {"code": "UPLOAD_CHECKSUM", "title": "No", "detail": "No.", "status": 460}
        with self.assertRaises(ProblemError) as caught:
            self.send(
                as_json(items=[]),
                as_json(id="up_1", state="RECEIVING", bytesDone=0),
                as_json(id="up_1", state="FAILED", bytesDone=12, problem=refused),
            )
        self.assertEqual(caught.exception.code, "UPLOAD_CHECKSUM")


class Calls(WithService):
    def test_what_reads_is_tried_again_until_there_is_an_answer(self) -> None:
        service = self.service(hangs_up, problem(503, "UPSTREAM_UNAVAILABLE"), sends(200, b'{"id": "job_1"}'))
        self.assertEqual(Operations(service.transport).read_job("job_1")["id"], "job_1")
        self.assertEqual(len(service.asked), 3)

    def test_what_may_have_had_its_effect_is_not_sent_again_without_a_key(self) -> None:
        service = self.service(hangs_up)
        with self.assertRaises(UnreachableError):
            Operations(service.transport).create_dataset({"name": "papers"})
        self.assertEqual(len(service.asked), 1)

    def test_a_job_is_submitted_once_however_often_it_is_sent(self) -> None:
        service = self.service(hangs_up, sends(202, b'{"id": "job_1"}'))
        Operations(service.transport).submit_job({"version": 1})
        keys = [headers["idempotency-key"] for _, _, headers, _ in service.asked]
        self.assertEqual(len(keys), 2)
        self.assertEqual(keys[0], keys[1])

    def test_five_tries_are_the_most_and_pauses_are_those_that_were_asked_for(self) -> None:
        service = self.service(sends(429, b"{}", retry_after="7"))
        with self.assertRaises(ProblemError):
            Operations(service.transport).list_jobs()
        self.assertEqual(len(service.asked), 5)
        self.assertEqual([call.args for call in self.sleep.call_args_list], [(7.0,)] * 4)

    def test_errors_are_told_apart_by_class_and_say_where(self) -> None:
        cases = [(400, InvalidError), (401, NotAllowedError), (403, NotAllowedError), (404, NotFoundError)]
        for status, kind in [*cases, (409, ConflictError), (422, InvalidError)]:
            service = self.service(problem(status, "JOB_SPEC_INVALID", pointer="/train/epochs"))
            with self.assertRaises(kind) as caught:
                Operations(service.transport).submit_job({})
            self.assertEqual(caught.exception.pointer, "/train/epochs")
            self.assertIn("JOB_SPEC_INVALID: No. (at /train/epochs)", str(caught.exception))

    def test_a_proxy_that_answers_in_the_place_of_the_service_is_a_problem_too(self) -> None:
        service = self.service(sends(418, b"<html>"))
        with self.assertRaisesRegex(InvalidError, "status 418"):
            Operations(service.transport).list_jobs()

    def test_addresses_carry_what_is_asked_and_nothing_that_is_not(self) -> None:
        service = self.service(sends(200, b'{"items": []}'))
        api = Operations(service.transport)
        api.list_jobs(starred=True, search="a&b", first=5)
        self.assertEqual(service.asked[0][1], "/v1/jobs?first=5&search=a%26b&starred=true")
        api.read_job("../x?y")
        self.assertEqual(service.asked[1][1], "/v1/jobs/..%2Fx%3Fy")
        with self.assertRaises(ValueError):
            api.delete_job("")


class Streams(WithService):
    def test_events_go_on_behind_the_last_that_arrived_whole(self) -> None:
        first = b': hello\nid: 1\ndata: {"n": 1}\n\nid: 2\ndata: {"n"'
        service = self.service(
            sends(200, first, len(first) + 9),
            hangs_up,
            sends(200, b'id: 2\r\nevent: x\r\ndata: {"n":\r\ndata: 2}\r\n\r\n'),
            sends(204, b""),
        )
        events = list(Operations(service.transport).follow_job("job_1"))
        self.assertEqual(events, [{"n": 1}, {"n": 2}])
        ids = [headers.get("last-event-id") for _, _, headers, _ in service.asked]
        self.assertEqual(ids, [None, "1", "1", "2"])

    def test_a_stream_that_is_refused_ends(self) -> None:
        service = self.service(problem(404, "REQUEST_NOT_FOUND"))
        with self.assertRaises(NotFoundError):
            list(Operations(service.transport).follow_job("job_1"))


class Files(WithService):
    content = bytes(range(256)) * 300
    digest = hashlib.sha256(content).hexdigest()

    def fetch(self, service: Service) -> Any:
        transport = service.transport
        return download(lambda headers: transport.open_with(headers, "GET", "/file"), self.folder / "file")

    def test_a_download_that_is_cut_goes_on_where_it_was(self) -> None:
        etag = f'"{self.digest}"'
        service = self.service(
            sends(200, self.content[:50_000], len(self.content), etag=etag),
            hangs_up,
            sends(206, self.content[50_000:], etag=etag),
        )
        got = self.fetch(service)
        self.assertEqual((self.folder / "file").read_bytes(), self.content)
        self.assertEqual((got.bytes, got.sha256), (len(self.content), self.digest))
        self.assertEqual(service.asked[2][2]["range"], "bytes=50000-")
        self.assertEqual(service.asked[2][2]["if-range"], etag)

    def test_what_came_damaged_is_not_left_at_its_path(self) -> None:
        service = self.service(sends(200, b"other", etag=f'"{self.digest}"'))
        with self.assertRaises(DownloadDamagedError):
            self.fetch(service)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_upload_is_sent_again_whole_and_has_the_length_that_it_says(self) -> None:
        path = self.folder / 'a "b".csv'
        path.write_bytes(self.content)
        service = self.service(hangs_up, sends(201, b"{}"))
        Operations(service.transport).upload_files("ds_1", FileToSend(path), replace=True)
        (_, _, headers, first), (_, address, _, second) = service.asked
        self.assertEqual(first, second)
        self.assertEqual(len(second), int(headers["content-length"]))
        self.assertEqual(address, "/v1/datasets/ds_1/files?replace=true")
        head, _, rest = second.partition(b"\r\n\r\n")
        self.assertIn(b'filename="a %22b%22.csv"', head)
        self.assertTrue(rest.startswith(self.content))

    def test_a_refusal_in_the_midst_of_an_upload_is_read(self) -> None:
        path = self.folder / "large"
        path.write_bytes(b"x" * 30_000_000)

        def refuses(handler: BaseHTTPRequestHandler) -> None:
            problem(413, "REQUEST_TOO_LARGE")(handler)

        service = self.service(refuses)
        with mock.patch.object(service.RequestHandlerClass, "do_POST", refuses):
            with self.assertRaises((InvalidError, UnreachableError)):
                Operations(service.transport).upload_files("ds_1", FileToSend(path), replace=False)


if __name__ == "__main__":
    unittest.main()
