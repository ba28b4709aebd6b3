package dev.gannet.client;

import java.util.regex.Pattern;

/** The application's part of {@code user-agent} (RFC 9110 §10.1.5, in ASCII). */
final class UserAgent {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String PRODUCT = TOKEN + "(/" + TOKEN + ")?";
  private static final String COMMENT = "\\([ !-'*-~]*\\)"; // without nested comments
  private static final String PART = "(" + PRODUCT + "|" + COMMENT + ")";
  private static final Pattern PRODUCTS = Pattern.compile(PRODUCT + "( " + PART + ")*");

  private UserAgent() {}

  /**
   * Returns the text.
   *
   * @throws IllegalArgumentException if it does not begin with a product, or contains anything but
   *     products and comments
   */
  static String checked(String products) {
    if (!PRODUCTS.matcher(products).matches()) {
      throw new IllegalArgumentException(
          "not a user agent (name/version, more of these, comments in parentheses, RFC 9110"
              + " §10.1.5): '"
              + products
              + "'");
    }
    return products;
  }
}
