"""Table II of Taiwan-Pai Kao as it is printed: 111 rows, the first the strongest, each its two tiles and its name."""

TABLE_II = """\
4-2 2-1 Chi Chün
6-6 6-6 Seong Tin
1-1 1-1 Seong Tei
4-4 4-4 Seong Ian
3-1 3-1 Seong Ngó
5-5 5-5 Seong Mui
3-3 3-3 Seong Cheóng-Sám
2-2 2-2 Seong Pán Táng
6-5 6-5 Seong Fu T’au
6-4 6-4 Seong Hông T’au-Sap
6-1 6-1 Seong Kou-Keók Chat
5-1 5-1 Seong Ling Lam Kôk
5-4 6-3 Seong Cháp Káu
6-2 5-3 Seong Cháp Pát
4-3 5-2 Seong Cháp Ch’at
4-1 3-2 Seong Cháp Ng
6-6 5-4 Tin Káu Vóng
6-6 4-4 Tin Kóng
1-1 6-2 Tei Kóng
6-6 6-1 Tin P’ai Káu
1-1 4-3 Tei P’ai Káu
4-4 6-5 Ian P’ai Káu
3-1 4-1 Ngó P’ai Káu
5-5 6-3 Mui P’ai Káu
3-3 2-1 Cheóng P’ai Káu
2-2 3-2 Pán Tang P’ai Káu
6-5 5-3 Fu T’au Káu
6-4 6-3 Hông T’au-Sap Káu
5-1 2-1 Ling Lam Lôk Káu
6-6 3-3 Tin P’ai Pát
1-1 5-1 Tei P’ai Pát
4-4 5-5 Ian P’ai Pát
3-1 2-2 Ngó P’ai Pát
5-5 5-3 Mui P’ai Pát
6-5 6-1 Fu T’au Pát
6-4 6-2 Hong T’au Pát
5-1 2-1 Cháp P’ai Pát
6-6 4-1 Tin P’ai Chat
1-1 3-2 Tei P’ai Chat
4-4 5-4 Ian P’ai Chat
3-1 2-1 Ngó P’ai Chat
5-5 6-1 Mui P’ai Chat
3-3 6-5 Cheong P’ai chat
2-2 2-1 Pán Táng Chat
6-5 5-1 Fu T’au Chat
6-4 5-2 Hong T’au Chat
6-3 6-2 Cháp P’ai Chat
6-6 3-1 Tin P’ai Lôk
1-1 2-2 Tei P’ai Lôk
4-4 5-3 Ian P’ai Lôk
5-5 4-2 Mui P’ai Lôk
3-3 6-4 Cheóng P’ai Lôk
6-5 5-1 Fu T’au Lôk
6-4 5-1 Hông T’au Lôk
6-1 5-4 Kou Keok Chat Lôk
6-3 4-3 Cháp P’ai Lôk
4-4 6-1 Ian P’ai Ng
3-1 6-5 Ngó P’ai Ng
5-5 4-1 Mui P’ai Ng
3-3 5-4 Cheong P’ai Ng
2-2 6-5 Pán Táng Ng
6-4 3-2 Hong T’au Ng
6-1 6-2 Kou Keok Chát Ng
5-1 6-3 Ling Lam Lôk Ng
5-4 4-2 Cháp Káu Ng
6-2 4-3 Cháp Pát Ng
6-6 1-1 Tin P’ai Sei
4-4 3-3 Ian P’ai Sei
3-1 6-4 Ngó P’ai Sei
5-5 2-2 Mui P’ai Sei
3-3 6-2 Cheóng P’ai Sei
2-2 6-4 Pán Táng Sei
6-1 4-3 Kou Keók Chat Sei
5-1 5-3 Ling Lam Lôk Sei
5-4 3-2 Cháp Káu Sei
6-2 4-2 Cháp Pát Sei
6-6 6-5 Tin P’ai Sám
1-1 6-5 Tei P’ai Sám
4-4 3-2 Ian P’ai Sám
3-1 6-3 Ngó P’ai Sám
3-3 6-1 Cheóng P’ai Sám
2-2 5-4 Pán Táng Sám
6-1 4-2 Kou Keók Chat Sám
5-1 4-3 Ling Lám Lôk Sám
5-3 4-1 Cháp Pát Sám
5-2 4-2 Cháp Chat Sám
6-6 5-5 Tin P’ai I
1-1 6-4 Tei P’ai I
4-4 2-2 Ian P’ai I
3-1 5-3 Ngó P’ai I
3-3 5-1 Cheóng P’ai I
2-2 6-2 Pán Táng I
6-1 4-1 Kou Keók Chat I
5-1 4-2 Ling Lám Lôk I
5-4 2-1 Cháp Káu I
3-2 4-3 Cháp Chat I
1-1 5-4 Tei P’ai Iat
3-1 6-1 Ngó P’ai Iat
5-5 6-5 Mui P’ai Iat
3-3 4-1 Cheóng P’ai Iat
2-2 4-3 Pán Táng Iat
6-5 6-4 Fu T’au Iat
5-1 3-2 Ling Lám Lôk Iat
6-2 2-1 Cháp Pát Iat
4-1 4-2 Cháp Ng Iat
3-1 3-3 Ngó P’ai Mât
5-5 6-4 Mui P’ai Mât
3-3 2-2 Cheóng P’ai Mât
2-2 5-1 Pán Táng Mât
6-5 5-4 Fu T’au Mât
6-1 2-1 Kou Keók Chát Mât
"""
