package dev.flowstone.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves out what JMH writes around the benchmarks: nobody reads it, so it keeps no house rules. */
final class WrittenByHand implements ImportOption {
    @Override
    public boolean includes(Location location) {
        return !location.contains("/jmh_generated/");
    }
}
