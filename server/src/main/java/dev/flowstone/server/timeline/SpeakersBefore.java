package dev.flowstone.server.timeline;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Speakers for a page of events that begins anywhere in a run. Nothing is read where nothing in the page was buffered before it;
 * else only back to where that was: while a run is held, hardly anything but such input is written.
 */
public final class SpeakersBefore {
    private static final int WINDOW = 500;

    private final RunHistory history;
    private final RunKey run;

    public SpeakersBefore(RunHistory history, RunKey run) {
        this.history = requireNonNull(history);
        this.run = requireNonNull(run);
    }

    /** Ready for the first event of the page. */
    public Speakers of(List<Event> page) throws JournalException {
        Speakers speakers = new Speakers();
        if (page.isEmpty() || page.getFirst().sequence() == 1) {
            return speakers;
        }
        Event first = page.getFirst();
        // The page may begin in the midst of an entry, behind the word of whose input is taken in it.
        List<Event> head = between(first.header().firstSequence(), first.sequence());
        Set<Long> wanted = new HashSet<>();
        List<Event> all = new ArrayList<>(head);
        all.addAll(page);
        for (Event event : all) {
            switch (event.body()) {
                case ControlEvent.BufferedInputTaken it -> wanted.add(it.number());
                case ControlEvent.InputBuffered it -> wanted.remove(it.number());
                default -> {
                    // Says nothing of who speaks.
                }
            }
        }
        find(wanted, first.header().firstSequence(), speakers);
        head.forEach(speakers::of);
        return speakers;
    }

    private void find(Set<Long> wanted, long before, Speakers speakers) throws JournalException {
        long end = before;
        while (!wanted.isEmpty() && end > 1) {
            long from = Math.max(1, end - WINDOW);
            for (Event event : between(from, end)) {
                if (event.body() instanceof ControlEvent.InputBuffered it && wanted.remove(it.number())) {
                    speakers.buffered(it.number(), it.input());
                }
            }
            end = from;
        }
    }

    private List<Event> between(long from, long end) throws JournalException {
        List<Event> found = new ArrayList<>();
        long next = from;
        while (next < end) {
            List<Event> page = history.page(run.tenant(), run.run(), next, (int) Math.min(WINDOW, end - next));
            if (page.isEmpty()) {
                return found;
            }
            found.addAll(page);
            next += page.size();
        }
        return found;
    }
}
