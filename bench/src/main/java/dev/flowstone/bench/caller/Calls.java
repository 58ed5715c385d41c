package dev.flowstone.bench.caller;

import java.util.ArrayDeque;
import java.util.List;

/** What is left to call: one call for ever, or each of several until it is done. */
final class Calls {
    private final List<byte[]> requests;
    private final ArrayDeque<Integer> again = new ArrayDeque<>();
    private volatile int first;
    private int next;

    /** @param first how many to make before the others are released */
    Calls(List<byte[]> requests, int first) {
        this.requests = List.copyOf(requests);
        this.first = first;
    }

    /** Lets all be made; on any thread. */
    void release() {
        first = Integer.MAX_VALUE;
    }

    /** Whether there is one to make now. */
    boolean isNext() {
        return !isEmpty() && (!again.isEmpty() || next < first);
    }

    boolean isEmpty() {
        return requests.size() > 1 && again.isEmpty() && next >= requests.size();
    }

    /** The number of the next one. */
    int take() {
        return again.isEmpty() ? next++ : again.remove();
    }

    byte[] request(int number) {
        return requests.get(requests.size() == 1 ? 0 : number);
    }

    /** It was refused for now. */
    void again(int number) {
        if (requests.size() > 1) {
            again.add(number);
        }
    }
}
