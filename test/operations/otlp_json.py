"""Reads lines of `traces|metrics BASE64` and writes each as a line of JSON, by the messages that OpenTelemetry publishes."""

import base64
import sys

from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

messages = {"traces": ExportTraceServiceRequest, "metrics": ExportMetricsServiceRequest}
for line in sys.stdin:
    signal, body = line.split()
    print(MessageToJson(messages[signal].FromString(base64.b64decode(body)), indent=None))
