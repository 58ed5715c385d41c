curl -s -X POST $api/triggers -H "$json" -d '{"workflowId": "report", "triggerType": "Schedule", "config": {"cron": "0 9 * * *"}}'
TRIGGER=$(trigger report)
