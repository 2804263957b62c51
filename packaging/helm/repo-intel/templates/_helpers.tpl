{{- define "repo-intel.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What chooses the pods of one part: (dict "root" . "part" "service"). */}}
{{- define "repo-intel.chosen" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "repo-intel.labels" -}}
{{ include "repo-intel.chosen" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "repo-intel.baseUrl" -}}
{{- if .Values.baseUrl }}{{ .Values.baseUrl }}{{ else if .Values.ingress.enabled }}{{ if .Values.ingress.tlsSecretName }}https{{ else }}http{{ end }}://{{ .Values.ingress.host }}{{ else }}http://{{ include "repo-intel.name" . }}.{{ .Release.Namespace }}.svc:{{ .Values.service.port }}{{ end }}
{{- end }}

{{/* What is wrong with the values together, which their schema can't say. */}}
{{- define "repo-intel.check" -}}
{{- if and .Values.servers (not .Values.secretName) }}{{ fail "servers needs secretName: a Secret with DATABASE_URL, REDIS_URL, NEO4J_URL, NEO4J_PASSWORD, ELASTICSEARCH_URL and API_KEY_PEPPER" }}{{ end }}
{{- if and (not .Values.servers) (gt (int .Values.service.replicas) 1) }}{{ fail "service.replicas above 1 needs servers: an embedded service has its data folder to itself" }}{{ end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}{{ fail "ingress needs a host" }}{{ end }}
{{- range $name, $value := .Values.settings }}
{{- if regexMatch "KEY|PASSWORD|PEPPER|SECRET|TOKEN|_URL$|OTLP_HEADERS" $name }}{{ if not (has $name (list "BASE_URL" "DOCS_URL" "SITE_URL" "OWNER_JWT_JWKS_URL")) }}{{ fail (printf "%s may hold a secret: put it into the Secret that secretName names" $name) }}{{ end }}{{ end }}
{{- end }}
{{- end }}

{{/* The pod of one part: (dict "root" . "part" "service" "resources" … "args" …). */}}
{{- define "repo-intel.pod" -}}
metadata:
  labels: {{- include "repo-intel.labels" . | nindent 4 }}
  {{- with .root.Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # 5 s for load balancers, 20 s for the requests under way or 25 s for jobs, and the meters.
  terminationGracePeriodSeconds: 40
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .part }}
      image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{- toYaml .args | nindent 8 }}
      env:
        # A folder of its own: the volume's may have files of the file system's.
        - { name: DATA_DIR, value: /data/repo-intel }
        - { name: BASE_URL, value: {{ include "repo-intel.baseUrl" .root | quote }} }
        {{- if and .root.Values.metrics.enabled (eq .part "service") }}
        - { name: ADMIN_HOST, value: 0.0.0.0 }
        {{- end }}
        {{- range $name, $value := .root.Values.settings }}
        - { name: {{ $name }}, value: {{ $value | toString | quote }} }
        {{- end }}
      {{- with .root.Values.secretName }}
      envFrom:
        - secretRef: { name: {{ . }} }
      {{- end }}
      {{- if eq .part "service" }}
      ports:
        - { name: http, containerPort: 8080 }
        {{- if .root.Values.metrics.enabled }}
        - { name: metrics, containerPort: 9464 }
        {{- end }}
      # The first start of an embedded service fills its database; a start completes what a killed one left.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      {{- end }}
      resources: {{- toYaml .resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if and .root.Values.servers (eq .part "service") }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* A volume for each pod of a StatefulSet. */}}
{{- define "repo-intel.claim" -}}
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: data
  spec:
    accessModes: [ReadWriteOnce]
    {{- with .Values.volume.storageClassName }}
    storageClassName: {{ . }}
    {{- end }}
    resources:
      requests: { storage: {{ .Values.volume.size }} }
{{- end }}
