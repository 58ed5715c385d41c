package dev.flowstone.example.orders;

import dev.flowstone.sdk.client.Execution;
import dev.flowstone.sdk.client.ExecutionEvent;
import dev.flowstone.sdk.client.ExecutionStatus;
import dev.flowstone.sdk.client.FlowstoneClient;
import dev.flowstone.sdk.client.FlowstoneException;
import dev.flowstone.sdk.client.Following;
import dev.flowstone.sdk.client.RefusedException;
import dev.flowstone.sdk.client.Start;
import dev.flowstone.sdk.client.StartedExecution;
import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Publishes a workflow, does its tasks, starts three orders, follows the first and waits for the others. Started as docs/client.md
 * says.
 */
public final class Orders {
    /** What an order starts with. */
    record Order(String id, String sku, int quantity) {}

    private final FlowstoneClient client;

    private Orders(FlowstoneClient client) {
        this.client = client;
    }

    public static void main(String... arguments) throws IOException {
        URI server = URI.create(arguments.length > 0 ? arguments[0] : "http://127.0.0.1:8080");
        try (Worker worker = Worker.of(WorkerConfig.of(server).withName("orders"))
                        .handleAll(new OrderActions())
                        .start();
                FlowstoneClient client =
                        FlowstoneClient.of(server).principal("service:shop").build()) {
            new Orders(client).run();
            System.out.print(worker.metrics().prometheus());
        } catch (FlowstoneException e) {
            // It says what was called, what was wrong, and what to do.
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private void run() throws IOException {
        publish();
        String batch = UUID.randomUUID().toString();
        List<String> started = new ArrayList<>();
        for (Order order : List.of(
                new Order("o-1", "chair", 2), new Order("o-2", "table", 1), new Order("o-3", "lamp", 1_000))) {
            // The same request id starts nothing twice, whoever sends it again and whenever.
            StartedExecution execution = client.executions()
                    .start(Start.of("client-orders").withTrigger(order).withRequestId(batch + "-" + order.id()));
            started.add(execution.executionId());
        }
        follow(started.getFirst());
        started.forEach(this::tell);
    }

    private void publish() throws IOException {
        try (InputStream json = Orders.class.getResourceAsStream("/client-orders.json")) {
            JsonNode definition = JsonMapper.shared().readTree(json);
            try {
                client.workflows().save(definition);
            } catch (RefusedException e) {
                if (!e.code().equals("IMMUTABLE")) {
                    throw e;
                }
                // It was published before: the next draft stands beside that version.
                client.workflows().openDraft("client-orders", definition);
            }
            client.workflows().publish("client-orders");
        }
    }

    /** Tells each event as it happens, until the execution is over. */
    private void follow(String executionId) {
        try (Following events = client.executions().follow(executionId, 1)) {
            while (events.hasNext()) {
                ExecutionEvent event = events.next();
                System.out.println(event.sequence() + " " + event.kind());
            }
        }
    }

    private void tell(String executionId) {
        Execution execution = client.executions()
                .await(executionId, Duration.ofMinutes(1))
                .orElseThrow(() -> new IllegalStateException(executionId + " takes more than a minute"));
        if (execution.status() == ExecutionStatus.SUCCEEDED) {
            OrderActions.Shipped shipped = client.read(execution.output(), OrderActions.Shipped.class);
            System.out.println(shipped.order() + " left as " + shipped.parcel());
        } else {
            System.out.println(execution.trigger().path("id").asString() + " failed: "
                    + execution.error().map(Execution.ErrorInfo::message).orElse("?"));
        }
    }
}
