import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import java.net.URI;
import java.time.Duration;

final class Payments {
    interface Bank {
        String pay(Object charge, String key);
    }

    static void run(Bank bank) throws Exception {
@BLOCK@
    }
}
