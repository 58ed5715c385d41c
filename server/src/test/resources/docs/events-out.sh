echoes order
cat > crm.json <<'END'
{"sink": {"webhook": "crm"}, "filter": {"types": ["RunCompleted", "RunFailed"], "workflows": ["order"]}, "from": "beginning"}
END
