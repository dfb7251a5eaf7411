"""Steps OpenMBD from its own folder: run by `benchmarks.openmbd` with that folder on the module path.

python openmbd_driver.py model.json "x y z" time_step steps repeats
"""

import json
import statistics
import sys
import time

from models_config import ModelConfig
from models_multibody import MultibodyHumanModel
from models_parser import JSONModelParser
from physics_engine import PhysicsEngine
from physics_rigid_body import RigidBody


def main(model: str, start: str, time_step: float, steps: int, repeats: int) -> None:
    """Print the spread of the CPU microseconds a step as JSON, on the last line: OpenMBD itself may print before."""
    config = ModelConfig(0)
    config.path, config.pos_str = model, start
    engine = PhysicsEngine()
    bodies = [RigidBody(f"0_{name}", data, 0) for name, data in JSONModelParser(model).bodies.items()]
    engine.add_model(MultibodyHumanModel(model), bodies, config)
    engine.dt = time_step
    values = []
    for _ in range(repeats):
        begun = time.process_time()
        for _ in range(steps):
            engine.step()
        values.append((time.process_time() - begun) / steps * 1e6)
    print(json.dumps({"median": statistics.median(values), "low": min(values), "high": max(values)}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
