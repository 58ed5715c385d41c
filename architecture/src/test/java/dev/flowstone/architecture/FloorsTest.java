package dev.flowstone.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;

/** A module uses only the modules below it, and no two packages use each other. */
@AnalyzeClasses(
        packages = "dev.flowstone",
        importOptions = {DoNotIncludeTests.class, WrittenByHand.class})
final class FloorsTest {
    @ArchTest
    static void floorsUseOnlyThoseBelow(JavaClasses house) {
        List<String> floors = Floors.LOWEST_FIRST;
        for (int floor = 0; floor < floors.size() - 1; floor++) {
            String[] above = floors.subList(floor + 1, floors.size()).toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(floors.get(floor))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .because("a floor that reaches up can no longer be understood, tested or replaced alone")
                    .check(house);
        }
    }

    @ArchTest
    static final ArchRule theTestkitStandsOnTheEngine = noClasses()
            .that()
            .resideInAPackage(Floors.TESTKIT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(Floors.POSTGRES, Floors.BENCH, Floors.SERVER)
            .because("its users test their workflows in memory, without a database or a server");

    @ArchTest
    static final ArchRule noFloorStandsOnTheTestkit = noClasses()
            .that()
            .resideOutsideOfPackages(Floors.TESTKIT, Floors.COMMAND_LINE, Floors.TORTURE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(Floors.TESTKIT)
            .because("production code that needs the testkit would run on an in-memory journal by mistake;"
                    + " the command line has `flowstone test`, which means to");

    @ArchTest
    static final ArchRule tortureTakesNoMoreOfTheTestkitThanItsChecker = noClasses()
            .that()
            .resideInAPackage(Floors.TORTURE)
            .should()
            .dependOnClassesThat(
                    resideInAPackage(Floors.TESTKIT).and(resideOutsideOfPackage("dev.flowstone.testkit.history..")))
            .because("what it tortures are real processes on a real database, and nothing in memory");

    @ArchTest
    static final ArchRule whatLeavesTheHouseKnowsNothingOfIt = classes()
            .that()
            .resideInAPackage(Floors.OUTBOUND)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    Floors.OUTBOUND, "java..", "javax.crypto..", "javax.net.ssl..", "org.apache.hc..", "org.jspecify..")
            .because("it is what stands between a workflow and every network: small enough to be checked line by line");

    @ArchTest
    static final ArchRule whoReadsTokensKnowsLittleOfTheHouse = classes()
            .that()
            .resideInAPackage(Floors.SECURITY)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(Floors.SECURITY, Floors.KERNEL, "java..", "com.nimbusds..", "org.jspecify..")
            .because("who calls is decided here: small enough to be checked line by line, and no way out of the house");

    @ArchTest
    static final ArchRule theSdkKnowsOnlyTheJdkAndJackson = classes()
            .that()
            .resideInAPackage(Floors.SDK)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(Floors.SDK, "java..", "javax.net.ssl..", "tools.jackson..", "org.jspecify..")
            .because("it runs in its users' programs: what it brings along, they have to carry");

    @ArchTest
    static final ArchRule actionsKnowOnlyTheJdkAndJackson = classes()
            .that()
            .resideInAPackage(Floors.ACTION)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(Floors.ACTION, "java..", "tools.jackson..", "org.jspecify..")
            .because("it is what others write their connectors against: what it brings along, they have to carry,"
                    + " and what it shows of the house can't be changed any more (ADR 0045)");

    @ArchTest
    static final ArchRule connectorsStandOnTheEngineAlone = noClasses()
            .that()
            .resideInAPackage(Floors.CONNECTORS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(Floors.POSTGRES, Floors.SECURITY, Floors.TRIGGERS, Floors.OUTBOUND)
            .because("the testkit runs their actions in memory");

    @ArchTest
    static final ArchRule vendorsKnowWhatAnyAuthorOfAConnectorKnowsAndTheOneClient = classes()
            .that()
            .resideInAPackage(Floors.VENDORS)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    Floors.VENDORS,
                    Floors.ACTION,
                    Floors.OUTBOUND,
                    "java..",
                    "tools.jackson..",
                    "com.fasterxml.jackson.annotation..",
                    "org.jspecify..")
            .because("they are the proof that the SPI is enough: what they need beside it, others would need, too");

    @ArchTest
    static final ArchRule mailIsAConnectorAsAnyPlugIn = classes()
            .that()
            .resideInAPackage(Floors.MAIL)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    Floors.MAIL,
                    Floors.ACTION,
                    "java..",
                    "javax.net.ssl..",
                    "jakarta.activation..",
                    "jakarta.mail..",
                    "org.eclipse.angus.mail.smtp..",
                    "tools.jackson..",
                    "org.jspecify..")
            .because("what the house's own connectors can't do with the SPI alone, nobody's can");

    @ArchTest
    static final ArchRule nobodyStandsOnTheSdk = noClasses()
            .that()
            .resideOutsideOfPackages(Floors.SDK, Floors.WORKER)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(Floors.SDK)
            .because("it speaks to a server by its public API alone, and no server speaks to itself;"
                    + " the worker that is measured runs in a process of its own");

    @ArchTest
    static final ArchRule theMeasuredWorkerKnowsNothingOfTheHouse = classes()
            .that()
            .resideInAPackage(Floors.WORKER)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    Floors.WORKER,
                    Floors.SDK,
                    "java..",
                    "javax.crypto..",
                    "com.sun.net.httpserver..",
                    "tools.jackson..",
                    "org.jspecify..")
            .because("it is what a user would write with a JDK, and what it costs is what a user would pay");

    @ArchTest
    static final ArchRule everyClassHasAFloor = classes()
            .that()
            .resideOutsideOfPackages(Floors.TESTKIT, Floors.SDK)
            .should()
            .resideInAnyPackage(Floors.LOWEST_FIRST.toArray(String[]::new))
            .because("a module that these rules do not know escapes all of them: give it its floor in Floors first");

    @ArchTest
    static final ArchRule noPackagesInACircle = slices().assignedFrom(new EachPackage())
            .should()
            .beFreeOfCycles()
            .because("packages in a circle are one big package: nobody can read one of them first");

    /** Each package is a slice of its own, a parent and its child included. */
    private static final class EachPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "each package";
        }
    }
}
