{{- define "vnfm.env" -}}
- name: VNFM_SECRET_KEY_FILE
  value: /state/keys/django-secret
- name: VNFM_SEAL_KEYS_FILE
  value: /state/keys/seal-keys
- name: VNFM_ARTIFACTS_DIR
  value: /state/artifacts
- name: VNFM_HEARTBEAT_DIR
  value: /tmp/heartbeats
- name: VNFM_UI_DIR
  value: /app/frontend/dist
- name: VNFM_TRAP_LISTEN
  value: 0.0.0.0:9162
- name: VNFM_LOG_FORMAT
  value: json
- name: VNFM_PUBLIC_URL
  value: {{ required "publicUrl must be the address that browsers see, such as https://vnfm.example" .Values.publicUrl | quote }}
- name: VNFM_TRUSTED_PROXY
  value: {{ .Values.trustedProxy | quote }}
{{- if .Values.backup.passphraseSecret }}
- name: VNFM_BACKUP_DIR
  value: /backups
- name: VNFM_BACKUP_HOURS
  value: {{ .Values.backup.hours | quote }}
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "vnfm.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{- if .Values.image.digest -}}
{{- if not (regexMatch "^sha256:[0-9a-f]{64}$" .Values.image.digest) -}}
{{- fail "image.digest must be as sha256:0123…, with 64 digits" -}}
{{- end -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else if eq $tag "latest" -}}
{{- fail "image.tag must not be latest, which is another image tomorrow: name a version, or give image.digest" -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository $tag -}}
{{- end -}}
{{- end -}}

{{- define "vnfm.container" -}}
image: {{ include "vnfm.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  {{- include "vnfm.env" . | nindent 2 }}
envFrom:
  - secretRef:
      name: {{ .Values.serversSecret }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: state
    mountPath: /state
  - name: tmp
    mountPath: /tmp
{{- if .Values.backup.passphraseSecret }}
  - name: backups
    mountPath: /backups
{{- end }}
{{- end -}}

{{- define "vnfm.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: state
    persistentVolumeClaim:
      claimName: {{ .Release.Name }}-state
  - name: tmp
    emptyDir: {}
{{- if .Values.backup.passphraseSecret }}
  - name: backups
    persistentVolumeClaim:
      claimName: {{ .Release.Name }}-backups
  - name: passphrase
    secret:
      secretName: {{ .Values.backup.passphraseSecret }}
      defaultMode: 0440
{{- end }}
{{- end -}}
