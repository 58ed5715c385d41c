active reviewed '{"$schema": "https://flowstone.dev/schema/states-1.json", "id": "reviewed", "name": "Reviewed", "start": "review",
  "roles": {"legal": {}}, "states": {
    "review": {"human": {"assignees": [{"user": "anna"}, {"role": "legal"}], "outcomes": ["approved", "rejected"]},
               "transitions": [{"on": "approved", "to": "done"}, {"on": "rejected", "to": "done"}]},
    "done": {"end": {}}}}'
id=$(curl -s -X POST "$api/workflows/reviewed/execute" -H "$json" -d '{}' | member executionId)
until flowstone tasks list | grep -q "$id"; do sleep 0.1; done
