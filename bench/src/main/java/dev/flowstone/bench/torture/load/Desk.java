package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

/** What everybody outside uses: who asks for them, and where they write down what they were told. */
record Desk(Caller caller, CommandLedger ledger, DecisionLog decisions, Tally tally) {
    Desk {
        requireNonNull(caller);
        requireNonNull(ledger);
        requireNonNull(decisions);
        requireNonNull(tally);
    }
}
