package dev.flowstone.example.orders;

import dev.flowstone.sdk.worker.Action;
import dev.flowstone.sdk.worker.Input;
import dev.flowstone.sdk.worker.Link;
import dev.flowstone.sdk.worker.Task;
import dev.flowstone.sdk.worker.TaskFailure;
import java.util.Map;

/** What the workflow of client-orders.json leaves to this program. */
final class OrderActions {
    private static final int STOCK = 100;

    /** What is wanted. */
    record Reserve(String sku, int quantity) {}

    /** What was set aside for it. */
    record Reserved(String reservation) {}

    /** What has left. */
    record Shipped(String order, String parcel) {}

    /** Takes the input as one record. */
    @Action("orders.reserve")
    Reserved reserve(Reserve wanted, Task task) throws TaskFailure {
        if (wanted.quantity() > STOCK) {
            // Fails the task at once: no attempt will find more.
            throw TaskFailure.permanent("NO_STOCK", "there are " + STOCK + " of " + wanted.sku())
                    .with(Map.of("available", STOCK));
        }
        // The key is the same at each attempt: a warehouse that knows it books once.
        return new Reserved("reservation-" + task.key().substring(0, 8));
    }

    /** Takes members of the input. */
    @Action("orders.ship")
    Shipped ship(@Input("order") String order, @Input("reservation") String reservation, Task task) {
        String parcel = "parcel-" + task.key().substring(0, 8);
        task.made(new Link("Parcel", parcel, Map.of("reservation", reservation)));
        return new Shipped(order, parcel);
    }
}
