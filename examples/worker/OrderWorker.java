import dev.flowstone.sdk.worker.Link;
import dev.flowstone.sdk.worker.TaskFailure;
import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Does the tasks of orders.json. Started as docs/workers.md says; ends at Ctrl-C, when what it has begun is done or given
 * back.
 */
public final class OrderWorker {
    record Reserve(String sku, int quantity) {}

    record Reserved(String reservation) {}

    record Charge(String customer, int cents) {}

    record Charged(String payment, int attempt) {}

    private OrderWorker() {}

    public static void main(String... arguments) {
        URI server = URI.create(arguments.length > 0 ? arguments[0] : "http://127.0.0.1:8080");
        WorkerConfig config = WorkerConfig.of(server).withName("orders").withConcurrency(32);
        Worker worker = Worker.of(config)
                .handle("orders.reserve", Reserve.class, (order, task) -> {
                    if (order.quantity() > 100) {
                        // Fails the task at once: no attempt will find more.
                        throw TaskFailure.permanent("NO_STOCK", "there are 100 " + order.sku())
                                .with(Map.of("available", 100));
                    }
                    // The key is the same at each attempt: a warehouse that knows it books once.
                    return new Reserved("reservation-" + task.key().substring(0, 8));
                })
                .handle("orders.charge", Charge.class, (charge, task) -> {
                    if (task.attempt() == 1) {
                        // Tried again, but not before the bank wants to hear of us.
                        throw TaskFailure.externalLimit("BANK_BUSY", "come back later", Duration.ofSeconds(1));
                    }
                    String payment = "payment-" + task.key().substring(0, 8);
                    task.made(new Link("Payment", payment, Map.of("cents", charge.cents())));
                    return new Charged(payment, task.attempt());
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> worker.stop(Duration.ofSeconds(20))));
    }
}
