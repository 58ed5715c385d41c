package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.read.EditWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * R16: what is true of every subject, by the histories of the runs that are bound to it and in the order in which things became
 * durable. Makes edits, and judges how they are answered.
 */
public final class SubjectBook {
    private static final List<String> FIELDS = List.of("note", "amount");
    private static final String KIND = "document";
    private static final int SUBJECTS = 3;

    private final World world;
    private final Map<Subject, SubjectPage> pages = new TreeMap<>();
    private final Map<RunKey, Subject> bound = new HashMap<>();

    SubjectBook(World world) {
        this.world = world;
    }

    /** One of few. */
    static Subject any(Dice dice) {
        return new Subject(KIND, "d" + dice.below(SUBJECTS));
    }

    /** A window by chance, for programs and for edits. */
    public static EditWindow window(Dice dice) {
        return new EditWindow(
                dice.pick(List.of(EditWindow.Mode.values())),
                dice.percent(40) ? Optional.of(List.of(dice.pick(FIELDS))) : Optional.empty());
    }

    /** As far as anybody knows; 0 of one that nobody has heard of. */
    public long version(Subject subject) {
        SubjectPage page = pages.get(subject);
        return page == null ? 0 : page.version();
    }

    /** Whether a run is or was bound to it. */
    public boolean isUsed(Subject subject) {
        return bound.containsValue(subject);
    }

    Map<Subject, SubjectPage> pages() {
        return pages;
    }

    /** A move is stored; called in the order of commits. */
    void stored(RunMove move) {
        RunKey run = move.key();
        Subject subject = bound.get(run);
        boolean born = move.expectedSequence() == 0 && !Aggregates.isAggregate(run.run());
        if (subject == null && !born) {
            return;
        }
        List<Event> fresh = world.catchUp(run);
        RunLog log = world.log(run);
        if (subject == null) {
            Optional<SubjectBinding> binding = log.state().subject();
            if (binding.isEmpty()) {
                return;
            }
            subject = binding.get().subject();
            bound.put(run, subject);
            page(subject, binding.get().version()).bind(log, binding.get()).ifPresent(this::broken);
        }
        page(subject, 0).moved(run.run());
        heard(log, subject, fresh);
        world.mutations().stored(log, fresh);
    }

    /** A run hears of no version that its subject hasn't. */
    private void heard(RunLog log, Subject subject, List<Event> fresh) {
        for (Event event : fresh) {
            if (event.body() instanceof SubjectChanged changed) {
                boolean own = world.mutations().made(log.run(), changed.subjectVersion());
                if (changed.subjectVersion() > version(subject) || changed.byThisRun() != own) {
                    broken(log.name() + " hears " + changed + " of " + subject + ", which has version "
                            + version(subject) + (own ? ", made by itself" : ", made by others"));
                }
            }
        }
    }

    /** A run has given it its next version. */
    void mutated(Subject subject) {
        page(subject, 0).raise();
    }

    private SubjectPage page(Subject subject, long version) {
        return pages.computeIfAbsent(subject, _ -> new SubjectPage(version));
    }

    /** Somebody edits some subject, whether or not a node is up. Whether it was changed. */
    public boolean edit(Dice dice) {
        return edit(any(dice), dice);
    }

    /** Somebody edits this one: mostly as it is, with all its fields or one, now and then tightening its window, or in vain. */
    public boolean edit(Subject subject, Dice dice) {
        long known = version(subject);
        long expected = dice.percent(90) ? known : dice.percent(50) ? known + 1 : Math.max(0, known - 1);
        Set<String> fields = dice.percent(50) ? Set.of() : Set.of(dice.pick(FIELDS));
        Optional<EditWindow> tighten = dice.percent(25) ? Optional.of(window(dice)) : Optional.empty();
        SubjectChange change = new SubjectChange(World.TENANT, subject, expected, fields, tighten);
        boolean fails = dice.percent(10);
        try {
            MutationAnswer answer = world.database().ports().subjects().mutate(change, (_, _) -> {
                if (fails) {
                    throw new EditFailed();
                }
            });
            world.say(() -> "an edit of " + subject + ", version " + expected + ", is answered " + answer);
            judge(page(subject, expected), change, answer);
            return answer instanceof MutationAnswer.Done;
        } catch (EditFailed e) {
            return false;
        } catch (Exception e) {
            throw new IllegalStateException("an edit in memory can't fail", e);
        }
    }

    /** An editor's own exception: it undoes everything. */
    private static final class EditFailed extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private void judge(SubjectPage page, SubjectChange change, MutationAnswer answer) {
        EditWindow window = page.window();
        boolean allowed = window.allows(change.fields());
        boolean current = change.expectedVersion() == page.version();
        boolean right = switch (answer) {
            case MutationAnswer.Refused refused ->
                switch (refused.code()) {
                    case WORKFLOW_EDIT_LOCKED -> !allowed;
                    case STALE_SUBJECT_VERSION -> allowed && !current;
                };
            case MutationAnswer.Done done -> {
                List<RunId> live = page.live();
                change.tighten().ifPresentOrElse(page::raise, page::raise);
                yield allowed
                        && current
                        && done.version() == page.version()
                        && done.window().equals(window)
                        && done.told().stream().sorted().toList().equals(live);
            }
        };
        if (!right) {
            broken("an edit " + change + " is answered " + answer + ", but the window is " + window
                    + " and the version " + page.version());
        }
    }

    private void broken(String what) {
        world.violate(new Violation("R16", what));
    }
}
