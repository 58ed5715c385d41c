id=$(curl -s -X POST $api/workflows/watch/execute -H "$json" -d '{}' | member executionId)
until curl -s $api/executions/$id | grep -q '"status":"Succeeded"'; do sleep 0.1; done
curl -s $api/executions/$id | grep '"output":{"status":"'
