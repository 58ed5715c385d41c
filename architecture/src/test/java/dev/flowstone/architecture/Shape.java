package dev.flowstone.architecture;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.HashMap;
import java.util.Map;

/**
 * What a class does, whatever it and its own members are called: how often it uses which members of others. The drivers'
 * own packages don't count among the others, since a copy may bring copies of its neighbours along; what it can't bring
 * along are the JDK and the rest of the house, whose ports, rows and commands it has to use as they are called.
 */
final class Shape {
    /** Legitimate neighbours are alike by a third at most. */
    private static final double ALIKE = 0.5;

    /** The in-memory journal, which does a bit of everything, has six tenths of the smallest driver's uses. */
    private static final double CONTAINED = 0.8;

    private final Map<String, Integer> uses = new HashMap<>();
    private int size;

    /** The shape of a class, with those that are nested in it. */
    static Shape of(Iterable<JavaClass> withNested) {
        Shape shape = new Shape();
        for (JavaClass type : withNested) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                shape.add(access);
            }
        }
        return shape;
    }

    private void add(JavaAccess<?> access) {
        JavaClass owner = Drivers.outermost(access.getTargetOwner());
        if (!Drivers.areIn(owner.getPackageName()) && !owner.equals(Drivers.outermost(access.getOriginOwner()))) {
            uses.merge(owner.getSimpleName() + "." + access.getTarget().getName(), 1, Integer::sum);
            size++;
        }
    }

    /** How many uses there are: of few, all are found anywhere. */
    int size() {
        return size;
    }

    /**
     * Whether the other one is this one, copied: either most of what either does is in both, or nearly all of this one is found
     * in a class that does more besides.
     */
    boolean isCopiedIn(Shape other) {
        int found = common(other);
        return 2.0 * found / (size + other.size) >= ALIKE || (double) found / size >= CONTAINED;
    }

    private int common(Shape other) {
        int found = 0;
        for (Map.Entry<String, Integer> use : uses.entrySet()) {
            found += Math.min(use.getValue(), other.uses.getOrDefault(use.getKey(), 0));
        }
        return found;
    }
}
