[ "$(curl -s -o /dev/null -w '%{http_code}' -X POST $api/workflows/order/execute -H "$json" -H 'Idempotency-Key: shop-order-17' -d '{"trigger": {"amount": 120}}')" = 200 ]
