"""Makes repo_intel/contract, the models and operations of the contract, by openapi-python-client.

The argument is a contract (`/openapi.json` of a service); without one, the one that this version of the service is tested against.
"""

import subprocess
import sys
from pathlib import Path

here = Path(__file__).parent
contract = sys.argv[1] if len(sys.argv) > 1 else str(here / "../../test/golden/openapi.json")
output = str(here / "repo_intel/contract")
command = ["openapi_python_client", "generate", "--meta=none", "--overwrite", f"--path={contract}", f"--output-path={output}"]
sys.exit(subprocess.run([sys.executable, "-m", *command], check=False).returncode)
