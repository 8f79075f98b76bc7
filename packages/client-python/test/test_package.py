"""What holds for the package as a whole."""

from __future__ import annotations

import ast
import json
import os
import re
import tempfile
import typing
import unittest
from pathlib import Path
from unittest import mock

import hopwise
from hopwise import HopwiseError, models, operations
from hopwise.files import FileToSend
from hopwise.profiles import url_and_key
from hopwise.progress import progress_text

ROOT = Path(__file__).parent.parent


class Package(unittest.TestCase):
    def test_its_files_are_of_python_3_10_and_load_nothing_but_the_standard_library(self) -> None:
        for path in (ROOT / "hopwise").glob("*.py"):
            tree = ast.parse(path.read_text(), feature_version=(3, 10))
            imported = {
                name.partition(".")[0]
                for node in tree.body
                for name in (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
                )
            }
            self.assertLessEqual(imported, set(__import__("sys").stdlib_module_names), path)
            self.assertEqual([line for line in path.read_text().splitlines() if len(line) > 120], [], path)

    def test_every_type_that_a_model_or_a_call_names_is_there(self) -> None:
        with mock.patch.object(models, "NotRequired", typing.Optional, create=True):
            for name, model in vars(models).items():
                if hasattr(model, "__required_keys__"):
                    self.assertTrue(typing.get_type_hints(model), name)
        names = {**vars(typing), **vars(models), **vars(operations), "FileToSend": FileToSend}
        calls = [call for call in vars(operations.Operations).values() if callable(call)]
        self.assertGreater(len(calls), 60)
        for call in calls:
            typing.get_type_hints(call, globalns=names)

    def test_what_it_offers_is_named_in_its_readme(self) -> None:
        readme = (ROOT / "README.md").read_text()
        methods = [name for name in vars(hopwise.Client) if not name.startswith("_")]
        self.assertEqual([name for name in methods if not re.search(rf"`{name}\(", readme)], [])


class Profiles(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = Path(folder.name) / "config.json"
        self.config.write_text(json.dumps({"default": {"url": "http://one", "key": "hw_1"}}))
        self.environment = {"HOPWISE_CONFIG": str(self.config)}

    def found(self, url: str | None = None, key: str | None = None, **more: str) -> tuple[str, str]:
        with mock.patch.dict(os.environ, {**self.environment, **more}, clear=True):
            return url_and_key(url, key, None)

    def test_what_is_given_goes_before_the_environment_and_that_before_what_login_kept(self) -> None:
        self.assertEqual(self.found(), ("http://one", "hw_1"))
        self.assertEqual(self.found(HOPWISE_API_KEY="hw_2"), ("http://one", "hw_2"))
        self.assertEqual(self.found("http://two", "hw_3", HOPWISE_API_KEY="hw_2"), ("http://two", "hw_3"))

    def test_a_key_is_not_sent_to_another_address(self) -> None:
        with self.assertRaisesRegex(HopwiseError, "There is no key for http://elsewhere"):
            self.found("http://elsewhere")
        with self.assertRaisesRegex(HopwiseError, "hopwise login"):
            self.found(HOPWISE_PROFILE="other")


class Progress(unittest.TestCase):
    def test_it_is_stage_phase_and_amount_or_the_figures_of_an_epoch(self) -> None:
        stage = {"kind": "train", "state": "RUNNING", "cached": False, "phase": "epochs", "unit": "epochs"}
        event = {"type": "StageProgressed", "body": {**stage, "completed": 5, "total": 20}}
        self.assertEqual(progress_text(event), "train: epochs 5 of 20 epochs")  # type: ignore[arg-type]
        values = [{"name": "train/loss", "value": 0.51239}, {"name": "val/accuracy", "value": None}]
        event = {"type": "MetricsRecorded", "body": {"axis": "epoch", "step": 3, "values": values}}
        self.assertEqual(progress_text(event), "epoch 3: train/loss 0.5124")  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
