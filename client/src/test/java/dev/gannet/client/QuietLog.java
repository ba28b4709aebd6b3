package dev.gannet.client;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For tests that mean the failures of which they would fill the log. */
public final class QuietLog implements BeforeEachCallback, AfterEachCallback {
  private static final Logger LOG = Logger.getLogger("dev.gannet");

  @Override
  public void beforeEach(ExtensionContext test) {
    LOG.setLevel(Level.OFF);
  }

  @Override
  public void afterEach(ExtensionContext test) {
    LOG.setLevel(null);
  }
}
