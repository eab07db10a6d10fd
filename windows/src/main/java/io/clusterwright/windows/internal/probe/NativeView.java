package io.clusterwright.windows.internal.probe;

/** Memory that Windows has filled, by address. */
interface NativeView {
    byte getByte(long address);

    short getShort(long address);

    int getInt(long address);

    long getLong(long address);

    /** The text in UTF-16 at an address, up to its end or this many characters; empty for address 0. */
    default String getText(long address, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; address != 0 && i < most; i++) {
            char c = (char) getShort(address + 2L * i);
            if (c == 0) {
                break;
            }
            text.append(c);
        }
        return text.toString();
    }
}
