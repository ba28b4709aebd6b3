package dev.gannet.api.engine;

/** The one check of the full names of methods: {@code package.Service/Method}. */
public final class MethodNames {
  private MethodNames() {}

  /**
   * Returns the name if a path can be that name with a slash before it.
   *
   * @throws IllegalArgumentException if the name has no slash inside or begins with one, or has
   *     characters that a path cannot carry
   */
  public static String checked(String name) {
    int slash = name.lastIndexOf('/');
    boolean whole = slash > 0 && slash < name.length() - 1 && name.charAt(0) != '/';
    if (!whole || !isPrintable(name)) {
      throw new IllegalArgumentException(
          "not a full method name (package.Service/Method, without a leading slash): " + name);
    }
    return name;
  }

  /**
   * A loop, because programs create many descriptors when they start, and the first stream of a
   * program is slow.
   */
  private static boolean isPrintable(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) <= 0x20 || name.charAt(i) >= 0x7f) {
        return false;
      }
    }
    return true;
  }
}
