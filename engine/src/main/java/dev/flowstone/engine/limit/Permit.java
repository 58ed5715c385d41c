package dev.flowstone.engine.limit;

import java.util.List;

/** That one attempt goes on, within these limits; ends once. Guarded by its {@link Gates}. */
public final class Permit {
    final List<Gate> gates;
    boolean ended;

    Permit(List<Gate> gates) {
        this.gates = gates;
    }
}
