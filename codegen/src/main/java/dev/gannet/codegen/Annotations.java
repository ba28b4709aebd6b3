package dev.gannet.codegen;

/** The annotations of generated declarations. */
final class Annotations {
  private Annotations() {}

  /** The annotations of a type that belongs to the service as a whole. */
  static String ofType(Service service, ClassNames names) {
    String suppressed =
        service.usesDeprecated()
            ? "@" + names.of("java.lang.SuppressWarnings") + "(\"deprecation\")\n"
            : "";
    return suppressed + deprecatedIf(service.isDeprecated(), names);
  }

  /** Empty unless deprecated. */
  static String deprecatedIf(boolean deprecated, ClassNames names) {
    return deprecated ? "@" + names.of("java.lang.Deprecated") : "";
  }
}
