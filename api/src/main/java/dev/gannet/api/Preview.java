package dev.gannet.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A part of the stable packages that is not stable yet: it may change, or go, with any release. A
 * mark of a type includes what is nested in it; methods that name such a type are marked as well.
 * Everything else in these packages stays compatible from release 1.0 on.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Preview {
  /**
   * The release, as in {@code 0.3}, in which it is stable or gone at the latest: a preview ends. A
   * test of Gannet fails once that release is being built.
   */
  String until();
}
