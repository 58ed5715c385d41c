package dev.flowstone.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import java.util.Timer;
import java.util.UUID;

/** The kernel is a pure function: the same state and command give the same events, in every process and in every year. */
@AnalyzeClasses(
        packages = "dev.flowstone",
        importOptions = {DoNotIncludeTests.class, WrittenByHand.class})
final class KernelTest {
    @ArchTest
    static final ArchRule knowsOnlyTheJdk = classes()
            .that()
            .resideInAPackage(Floors.KERNEL)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify.annotations..", Floors.KERNEL)
            .because("old histories must replay for ever, and a library would change under them");

    @ArchTest
    static final ArchRule doesNoInputOrOutput = noClasses()
            .that()
            .resideInAPackage(Floors.KERNEL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.sql..",
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.util.logging..",
                    "java.util.prefs..",
                    "java.lang.reflect..")
            .orShould()
            .dependOnClassesThat(describe(
                    "open files",
                    (JavaClass type) -> type.getName().matches("java\\.io\\.(File|RandomAccess|Console).*")))
            .because("decide and apply are functions of their arguments; the engine does what they say");

    @ArchTest
    static final ArchRule startsNothing = noClasses()
            .that()
            .resideInAPackage(Floors.KERNEL)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent..")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Thread.class, ThreadLocal.class, Timer.class)
            .because("one thread decides for one run: where work waits or runs side by side is the engine's business");

    @ArchTest
    static final ArchRule drawsNoLots = noClasses()
            .that()
            .resideInAPackage(Floors.KERNEL)
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("java.util.random..")
            .orShould()
            .accessTargetWhere(target(named(UUID.class, "randomUUID")))
            .orShould()
            .accessTargetWhere(target(named(Math.class, "random")))
            .because("ids and random numbers arrive in the command and are recorded in the event");

    @ArchTest
    static final ArchRule readsNoClock = noClasses()
            .that()
            .resideInAPackage(Floors.KERNEL)
            .should()
            .accessTargetWhere(target(describe(
                    "java.time's now()",
                    (AccessTarget target) -> target.getName().equals("now")
                            && target.getOwner().getPackageName().startsWith("java.time"))))
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.time.Clock")
            .orShould()
            .accessTargetWhere(target(named(System.class, "currentTimeMillis")))
            .orShould()
            .accessTargetWhere(target(named(System.class, "nanoTime")))
            .because("time arrives in the command and is recorded in the event, or replay would tell another story");

    @ArchTest
    static final ArchRule asksNotItsSurroundings = noClasses()
            .that()
            .resideInAPackage(Floors.KERNEL)
            .should()
            .accessTargetWhere(target(named(System.class, "getenv")))
            .orShould()
            .accessTargetWhere(target(named(System.class, "getProperty")))
            .orShould()
            .accessTargetWhere(target(named(System.class, "identityHashCode")))
            .orShould()
            .accessTargetWhere(target(named(Locale.class, "getDefault")))
            .orShould()
            .accessTargetWhere(target(named(TimeZone.class, "getDefault")))
            .orShould()
            .accessTargetWhere(target(named(ZoneId.class, "systemDefault")))
            .because("two machines that are set up differently must decide alike");

    private static DescribedPredicate<AccessTarget> named(Class<?> owner, String name) {
        return describe(
                owner.getSimpleName() + "." + name,
                target -> target.getName().equals(name) && target.getOwner().isEquivalentTo(owner));
    }
}
