package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What its Javadoc calls immutable can be passed to another thread in any way, also through a data
 * race: the Java memory model promises that for final fields only (JLS §17.5).
 */
final class ImmutableTypesTest {
  @Test
  void aTypeThatIsCalledImmutableHasOnlyFinalFields() {
    List<JavaClass> immutable =
        StableTypes.all().stream().filter(ImmutableTypesTest::isCalledImmutable).toList();
    assertThat(immutable).hasSizeGreaterThan(40); // it has looked
    assertThat(immutable.stream().flatMap(ImmutableTypesTest::changingFields)).isEmpty();
  }

  private static boolean isCalledImmutable(JavaClass type) {
    return !type.isInterface() && StableTypes.declaration(type).contains("Immutable");
  }

  private static Stream<String> changingFields(JavaClass type) {
    return type.getAllFields().stream()
        .filter(it -> it.getOwner().getName().startsWith("dev.gannet."))
        .filter(it -> !it.getModifiers().contains(JavaModifier.STATIC))
        .filter(it -> !it.getModifiers().contains(JavaModifier.FINAL))
        .map(JavaField::getFullName);
  }
}
