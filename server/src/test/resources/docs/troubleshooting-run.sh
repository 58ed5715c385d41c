RUN=$(curl -s -X POST $api/workflows/fails/execute -H "$json" -d '{}' | member executionId)
