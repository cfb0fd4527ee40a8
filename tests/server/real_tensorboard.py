"""A program: asks the real TensorBoard. ``python real_tensorboard.py LOGDIR < questions.json > answers.json``

In a process of its own, because TensorBoard brings its own ideas of logging and warnings. It reads with the
loader that works everywhere (``--load_fast=false``), once, and answers in process through WSGI.
"""

from __future__ import annotations

import base64
import json
import sys
import types

# Tells TensorBoard to do without TensorFlow, whose import takes ten times as long as all the rest.
sys.modules["tensorboard.compat.notf"] = types.ModuleType("tensorboard.compat.notf")

from tensorboard import default, program  # noqa: E402
from tensorboard.backend import application  # noqa: E402
from tensorboard.backend.event_processing import (  # noqa: E402
    data_ingester,
    data_provider,
    plugin_event_multiplexer,
)
from werkzeug.test import Client  # noqa: E402


def main() -> None:
    logdir = sys.argv[1]
    board = program.TensorBoard(default.get_plugins())
    board.configure(argv=["tensorboard", "--logdir", logdir, "--load_fast=false"])
    guidance = data_ingester.DEFAULT_TENSOR_SIZE_GUIDANCE
    multiplexer = plugin_event_multiplexer.EventMultiplexer(tensor_size_guidance=dict(guidance))
    multiplexer.AddRunsFromDirectory(logdir)
    multiplexer.Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, logdir)
    app = application.TensorBoardWSGIApp(
        board.flags, board.plugin_loaders, provider, board.assets_zip_provider, multiplexer
    )
    client = Client(app)
    answers = []
    for question in json.load(sys.stdin):
        try:
            answer = client.open(
                question["path"],
                method=question.get("method", "GET"),
                query_string=question.get("query"),
                data=question.get("form"),
            )
        except Exception as error:  # its server would answer 500
            answers.append([500, "text/plain", repr(error)])
            continue
        data = answer.get_data()
        is_text = answer.mimetype.startswith(("text/", "application/json"))
        body = data.decode() if is_text else base64.b64encode(data).decode()
        answers.append([answer.status_code, answer.mimetype, body])
    json.dump(answers, sys.stdout)


main()
