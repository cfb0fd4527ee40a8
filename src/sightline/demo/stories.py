"""The made-up surroundings of the demo's runs, in the form of the records that our writer leaves."""

from __future__ import annotations

from collections.abc import Mapping


def start_facts(
    number: int, run: str, *, start_s: float, arguments: Mapping[str, object]
) -> dict[str, object]:
    project = f"/home/demo/{run.split('/')[0]}"
    flags = [word for name, value in arguments.items() for word in (f"--{name}", str(value))]
    return {
        "sightline": "run_start",
        "id": _story_id(number, start_s),
        "time": start_s,
        "pid": 4_000 + number,
        "writer": "0.1.0",
        "command": ["python", "train.py", "--run", run, *flags],
        "cwd": project,
        "script": f"{project}/train.py",
        "python": {"version": "3.12.7", "implementation": "CPython", "executable": "/usr/bin/python3"},
        "git": {
            "root": project,
            "commit": "5eed1e55c0ffee00d15ea5ed0ddba11ca5cade00",
            "branch": "main",
            "is_dirty": number % 4 == 1,
            "untracked": 0,
        },
        "host": {"name": "gpu-node-7", "os": "Linux", "machine": "x86_64", "cpu_count": 64},
        "devices": [{"name": "Demo GPU 80 GB", "memory_bytes": 80 * 1024**3, "driver": "1.0"}] * 2,
        "environment": {"CUDA_VISIBLE_DEVICES": "0,1", "WORLD_SIZE": "2"},
    }


def end_facts(number: int, *, start_s: float, end_s: float, has_crashed: bool = False) -> dict[str, object]:
    facts: dict[str, object] = {
        "sightline": "run_end",
        "id": _story_id(number, start_s),
        "time": end_s,
        "status": "crashed" if has_crashed else "finished",
        "duration_s": end_s - start_s,
    }
    if has_crashed:
        message = "GPU 0 has no memory left. Tried to allocate 2.50 GiB of 79.15 GiB"
        facts["error"] = {
            "type": "OutOfMemoryError",
            "message": message,
            "traceback": "Traceback (most recent call last):\n"
            '  File "/home/demo/gpt/train.py", line 214, in <module>\n    train(model, batches)\n'
            '  File "/home/demo/gpt/train.py", line 168, in train\n    loss.backward()\n'
            f"OutOfMemoryError: {message}\n",
        }
    return facts


def _story_id(number: int, start_s: float) -> str:
    return f"{number:04x}{int(start_s):012x}"
