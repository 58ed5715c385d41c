cp examples/scenarios/order.scenario.yaml .
mkdir workflows
cp examples/scenarios/order.scenario.yaml workflows/
