[ "$(curl -s -o /dev/null -w '%{http_code}' -X POST $api/workflows/order/reactivate -H "If-Match: $revision")" = 412 ]
