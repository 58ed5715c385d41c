active fails '{"id": "fails", "displayName": "Fails", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.fail"}]}'
RUN=$(curl -s -X POST $api/workflows/fails/execute -H "$json" -d '{}' | member executionId)
until curl -s $api/executions/$RUN | grep -q '"status":"Failed"'; do sleep 0.1; done
