echoes order
sed 's/"a"/"b"/g' > order-next.json <<'END'
{"id": "order", "displayName": "order", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}
END
