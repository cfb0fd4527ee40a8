"""The real TensorBoard and ours, asked the same questions about the same directory."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.server.clients import InProcess

Answer = tuple[int, str, Any]
"""Status, media type, body: decoded JSON, text, or bytes as base64."""


def ask_tensorboard(logdir: Path, questions: list[dict[str, Any]]) -> list[list[Any]]:
    """Its answers, in the order of the questions."""
    program = Path(__file__).parent / "real_tensorboard.py"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(program), str(logdir)],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    answers: list[list[Any]] = json.loads(done.stdout)
    return answers


class Both:
    """The answers of both to the same questions."""

    def __init__(self, questions: list[dict[str, Any]], real: list[list[Any]], ours: InProcess) -> None:
        self.questions = questions
        self._real = real
        self._ours = ours

    def pairs(self, path: str, *, is_csv: bool = False) -> list[tuple[dict[str, Any], Answer, Answer]]:
        """(question, TensorBoard's answer, ours) for every question about the path."""
        found = []
        for question, (status, media_type, text) in zip(self.questions, self._real, strict=True):
            if question["path"] == path and (question.get("query", {}).get("format") == "csv") is is_csv:
                answer = self._ours.ask(
                    question.get("method", "GET"),
                    path,
                    params=question.get("query"),
                    data=question.get("form"),
                )
                own_type = answer.headers["content-type"].split(";")[0]
                is_json = media_type == "application/json"
                real = (status, media_type, json.loads(text) if is_json else text)
                found.append((question, real, (answer.status_code, own_type, _body(answer, own_type))))
        assert found
        return found

    def one(self, path: str) -> tuple[Any, Any]:
        """Both bodies of the only question about a path."""
        ((_, real, own),) = self.pairs(path)
        assert real[:2] == own[:2]
        return real[2], own[2]


def _body(answer: Any, media_type: str) -> Any:
    if media_type == "application/json":
        return answer.json()
    is_text = media_type.startswith("text/")
    return answer.text if is_text else base64.b64encode(answer.content).decode()
