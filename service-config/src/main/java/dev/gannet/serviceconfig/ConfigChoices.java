package dev.gannet.serviceconfig;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A list of service configs for different clients, as a TXT record has it (gRFC A2). The first
 * whose criteria all fit counts; all of the list must be well formed.
 */
final class ConfigChoices {
  private static final String LANGUAGE = "java";
  private static final int HUNDRED = 100;
  private static final Set<String> KEYS =
      Set.of("clientLanguage", "percentage", "clientHostname", "serviceConfig");

  private final Supplier<String> clientHostname;
  private final int percentile;

  /**
   * For one client.
   *
   * @param percentile 0 to 99: a choice for more than that percentage of the clients fits
   */
  ConfigChoices(Supplier<String> clientHostname, int percentile) {
    if (percentile < 0 || percentile >= HUNDRED) {
      throw new IllegalArgumentException("the percentile must be 0 to 99: " + percentile);
    }
    this.clientHostname = clientHostname;
    this.percentile = percentile;
  }

  /** The {@code serviceConfig} of the first choice that fits. */
  Optional<JsonField> first(JsonField list) {
    List<JsonField> choices = list.list();
    choices.forEach(ConfigChoices::check);
    return choices.stream().filter(this::fits).findFirst().map(it -> it.required("serviceConfig"));
  }

  private static void check(JsonField choice) {
    for (String key : choice.object().keySet()) {
      if (!KEYS.contains(key)) {
        throw choice.fault("has the field '" + key + "', which no choice has");
      }
    }
    choice.required("serviceConfig").object();
    texts(choice, "clientLanguage");
    texts(choice, "clientHostname");
    choice.field("percentage").ifPresent(ConfigChoices::percentage);
  }

  private static int percentage(JsonField field) {
    int percentage = field.integer();
    if (percentage < 0 || percentage > HUNDRED) {
      throw field.fault("must be 0 to 100: " + percentage);
    }
    return percentage;
  }

  private static List<String> texts(JsonField choice, String name) {
    return choice
        .field(name)
        .map(it -> it.list().stream().map(JsonField::text).toList())
        .orElse(List.of());
  }

  private boolean fits(JsonField choice) {
    List<String> languages = texts(choice, "clientLanguage");
    List<String> hosts = texts(choice, "clientHostname");
    boolean meant = languages.isEmpty() || languages.stream().anyMatch(LANGUAGE::equalsIgnoreCase);
    return meant
        && choice.field("percentage").map(it -> percentile < percentage(it)).orElse(true)
        && (hosts.isEmpty() || hosts.contains(clientHostname.get()));
  }
}
