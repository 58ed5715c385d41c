active fails '{"id": "fails", "displayName": "Fails", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.fail"}]}'
