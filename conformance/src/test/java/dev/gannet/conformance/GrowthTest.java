package dev.gannet.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;

/** What users may write against can gain members later without breaking them. */
final class GrowthTest {
  /** A record cannot gain a component: its constructor and its pattern are public. */
  @Test
  void usersCanNameNoRecord() {
    assertThat(StableTypes.all()).filteredOn(JavaClass::isRecord).isEmpty();
  }
}
